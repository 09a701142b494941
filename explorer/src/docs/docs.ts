/** Script of `/docs`: search, copy buttons, the service's address in commands, and requests with the user's token. */

import { addCopyButtons } from './copy-buttons.ts';
import { followSignIn } from './docs-token.ts';
import { showLanguage } from './language.ts';
import { fillOwnAddress } from './own-address.ts';
import { addRequestForms, clearRequestForms } from './request-form.ts';
import { addSearch } from './section-search.ts';

showLanguage();
fillOwnAddress();
addCopyButtons();
addSearch();
addRequestForms();
followSignIn(clearRequestForms);
