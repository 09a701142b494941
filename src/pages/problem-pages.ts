/** The pages that explain the problems of the catalogue. */

import {
  exampleProblem,
  PROBLEM_CODES,
  PROBLEM_MEDIA_TYPE,
  problemPath,
} from '../contract/problems/problem-body.ts';
import { PROBLEM_EXPLANATIONS } from '../contract/problems/problem-explanations.ts';
import { PROBLEMS, type ProblemCode } from '../contract/problems/problems.ts';
import { bilingual } from './bilingual.ts';
import { html, jsonBlock, prose, table } from './html.ts';
import { htmlPage } from './page.ts';

export function problemPage(code: ProblemCode, basePath: string): string {
  const { status, title } = PROBLEMS[code];
  const { meaning, remedy } = PROBLEM_EXPLANATIONS[code];
  return htmlPage({
    title: `${title} (${status})`,
    description: meaning,
    content: html`<p class="soft"><a href="${basePath}/problems">All problems</a> · <a href="${basePath}/docs">Documentation</a></p>
<h1>${title}</h1>
<p class="path"><span class="status refused">${status}</span> <code>${code}</code></p>
<h2>What it means</h2>
<p>${prose(meaning)}</p>
<h2>What to do</h2>
<p>${prose(remedy)}</p>
<h2>What you receive</h2>
<p>Status ${status} and <code>${PROBLEM_MEDIA_TYPE}</code> (RFC 9457). Programs should use <code>code</code>, because <code>title</code> and <code>detail</code> are for people. The operator can find the <code>request_id</code> in the log.</p>
${jsonBlock(exampleProblem(code, basePath))}`,
  });
}

export const problemListPage = (basePath: string): string =>
  htmlPage({
    title: 'Problems',
    description: 'All problems of the service, what they mean and what to do.',
    content: html`<p class="soft"><a href="${basePath}/docs">Documentation</a></p>
<h1>Problems</h1>
<p>Every error is <code>${PROBLEM_MEDIA_TYPE}</code> (RFC 9457). Its <code>type</code> is the URL of one of these pages.</p>
${problemTable(PROBLEM_CODES, basePath)}`,
  });

export const problemTable = (codes: readonly ProblemCode[], basePath: string) =>
  table(
    [bilingual('Status', 'Statut'), 'Code', bilingual('What to do', 'Que faire')],
    codes.map((code) => [
      PROBLEMS[code].status,
      html`<a href="${basePath}${problemPath(code)}"><code>${code}</code></a>`,
      prose(PROBLEMS[code].detail),
    ]),
  );
