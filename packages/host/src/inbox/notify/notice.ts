import { visibleLine } from '@trunkline/base/visible'
import type { Question } from '../question.ts'

/** Notice to a person about a question; arguments, results, addresses and texts of servers are no part of it. */
export interface Notice {
  readonly id: string
  readonly kind: Question['kind']
  readonly server: string
  /** The tool or prompt by its name; missing where the question is about an address, a file or a text. */
  readonly tool?: string
  /** The program that wants it, as the person calls it. */
  readonly caller: string
  /** Time as in `Date.now()`. */
  readonly askedAt: number
  readonly expiresAt: number
  /** One sentence that says all of it. */
  readonly text: string
  /** The question in the console. */
  readonly link: string
}

/** Characters of a name that are shown. */
const maxNameChars = 128
/** Form of tool names; an address may hold data that only the person at this machine may see. */
const toolName = /^[A-Za-z0-9_.-]{1,128}$/
const aboutTools: ReadonlySet<Question['kind']> = new Set(['call', 'result'])

/** The notice about a question that waits at a console. */
export function noticeOf(question: Question, console: URL): Notice {
  const { id, kind, askedAt, expiresAt } = question
  const server = shortName(question.server)
  const caller = shortName(question.principal)
  const tool = aboutTools.has(kind) && toolName.test(question.target) ? question.target : undefined
  const text = sentences[kind]({ server, caller, what: tool === undefined ? `"${server}"` : `"${server}:${tool}"` })
  const link = new URL(`/inbox/${id}`, console).href
  return { id, kind, server, ...(tool !== undefined && { tool }), caller, askedAt, expiresAt, text, link }
}

/** Several notices as one: a sentence and where to go. */
export function summaryOf(notices: readonly Notice[], console: URL): { readonly text: string; readonly link: string } {
  const [first] = notices
  if (first !== undefined && notices.length === 1) return first
  return { text: `${notices.length} questions wait for you`, link: new URL('/inbox', console).href }
}

interface Names {
  readonly server: string
  readonly caller: string
  readonly what: string
}

const sentences: { readonly [Kind in Question['kind']]: (names: Names) => string } = {
  call: ({ caller, what }) => `"${caller}" wants to use ${what}`,
  result: ({ caller, what }) => `A result of ${what} for "${caller}" waits for your review`,
  form: ({ server }) => `Server "${server}" asks you to fill in a form`,
  page: ({ server }) => `Server "${server}" asks you to visit a page`,
  prompt: ({ server }) => `Server "${server}" wants to send a prompt to a model`,
  definition: ({ server }) => `Server "${server}" changed what it offers`,
  start: ({ server }) => `Server "${server}" waits for you to accept its command`,
  client: ({ caller }) => `A program waits for you to accept it as "${caller}"`,
  file: () => `A project's file waits for you to accept what it permits`,
  programs: () => 'The files of servers that you accepted earlier wait for you to look at them',
  'sign-in': ({ server }) => `Server "${server}" needs you to sign in`,
}

function shortName(name: string): string {
  const shown = visibleLine(name)
  return shown.length > maxNameChars ? `${shown.slice(0, maxNameChars - 3)}...` : shown
}
