/** Script of `/docs`: search, copy buttons, the own address in commands, and requests with the page's token. */

import { addCopyButtons } from './copy-buttons.ts';
import { followSignIn } from './docs-token.ts';
import { showLanguage } from './language.ts';
import { fillOwnAddress } from './own-address.ts';
import { addSearch } from './section-search.ts';
import { addTrials } from './trial.ts';

showLanguage();
fillOwnAddress();
addCopyButtons();
addSearch();
addTrials();
followSignIn();
