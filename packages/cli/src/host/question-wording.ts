import type { ShownQuestion } from './show.ts'

/** Effect of the key y on a question, and the text printed after it was pressed. */
export interface QuestionWording {
  readonly yes: string
  readonly done: string
}

const run: QuestionWording = { yes: 'once', done: 'Allowed, this once' }
const accept: QuestionWording = { yes: 'accept', done: 'Accepted' }

/** Calls and what passes are allowed once; servers, definitions and files are accepted and stay so. */
export const wordings: { readonly [Kind in ShownQuestion['kind']]: QuestionWording } = {
  call: run,
  result: run,
  prompt: run,
  definition: accept,
  start: accept,
  client: accept,
  file: accept,
  programs: accept,
  form: { yes: 'fill in', done: 'Sent' },
  page: { yes: 'agree', done: 'Agreed' },
  'sign-in': { yes: 'open the page', done: 'The page is opened in your browser' },
}
