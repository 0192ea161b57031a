import type { Question } from '../host/queries.ts'

type Words = { readonly [kind in Question['kind']]: (question: Question) => string }

/** Name that the host gives to a server's sampling requests. */
const sampling = '@sample'

const short: Words = {
  call: (question) => (skillIn(question) === undefined ? question.target : `Skill ${skillIn(question)}`),
  result: ({ target }) => (target === sampling ? 'An answer of a language model' : `Result of ${target}`),
  form: () => 'A form to fill in',
  page: () => 'A page to visit',
  prompt: () => 'A prompt to look over',
  definition: () => 'Changed tools',
  start: ({ server }) => `Start ${server}`,
  client: ({ target }) => `A program as ${target}`,
  file: () => 'A file of a project',
  programs: () => 'Accepted earlier',
  'sign-in': ({ server }) => `Sign in to ${server}`,
}

const long: Words = {
  call: (question) => {
    const { principal, server, target } = question
    const skill = skillIn(question)
    return skill === undefined
      ? `${principal} wants to call ${target}`
      : `${principal} wants to read the skill ${skill} of ${server}`
  },
  result: ({ server, principal, target }) =>
    target === sampling
      ? `A language model has answered. May ${server} see it?`
      : `${target} has run. May ${principal} see its result?`,
  form: ({ server }) => `${server} asks you something`,
  page: ({ server }) => `${server} wants you to visit a page`,
  prompt: ({ server }) => `${server} wants to ask a language model`,
  definition: ({ server }) => `${server} offers something else than you accepted`,
  start: ({ server }) => `May ${server} be started?`,
  client: ({ target }) => `May this program call as ${target}?`,
  file: ({ target }) => `May what ${target} permits count?`,
  programs: () => 'Are these the servers and clients that you accepted earlier?',
  'sign-in': ({ server }) => `${server} wants you to sign in`,
}

/** The name of the skill that is to be read; undefined for any other question. */
function skillIn({ detail, target }: Question): string | undefined {
  if (detail.kind !== 'skill') return undefined
  return String((detail.arguments as { readonly name?: unknown } | undefined)?.name ?? target)
}

/** Subject of a question, for a list. */
export function shortWords(question: Question): string {
  return short[question.kind](question)
}

/** Text of a question, as a heading. */
export function longWords(question: Question): string {
  return long[question.kind](question)
}

/** Effect of an answer for a call whose caller does not wait any more. */
export function abandonedWords(approvalMs: number): string {
  const minutes = Math.round(approvalMs / 60_000)
  return `Its caller is gone, so nothing runs when you answer. What you allow is kept for ${minutes} minutes: a call with the same arguments then runs without asking.`
}
