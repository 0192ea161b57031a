import { actRows, outcomeWords } from '../../host/acts.ts'
import type { ListedResource } from '../../host/all-resources.ts'
import type {
  CatalogueEntry,
  ChainedLine,
  ConversationSummary,
  Question,
  RuleShown,
  ServerSummary,
} from '../../host/queries.ts'
import { stateWord } from '../../parts/server-health.ts'
import { longWords } from '../../questions/question-words.ts'
import { clockTime } from '../../text/relative-time.ts'
import { screens } from '../screens.ts'
import { itemOf, type PaletteItem } from './item.ts'

/** Data of the host that the page has loaded. */
export interface Known {
  readonly questions: readonly Question[]
  readonly servers: readonly ServerSummary[]
  readonly entries: readonly CatalogueEntry[]
  readonly resources: readonly ListedResource[]
  readonly conversations: readonly ConversationSummary[]
  readonly rules: readonly RuleShown[]
  readonly clients: readonly { readonly id: string; readonly title: string; readonly isConnected: boolean }[]
  readonly lines: readonly ChainedLine[]
}

const maxActs = 300
const screenOf = { tool: 'tools', prompt: 'prompts', template: 'resources', skill: 'skills' } as const
const verbOf = { tool: 'run call try', prompt: 'fill in use', template: 'read fill in', skill: 'read' } as const

/** Questions first: what waits for a person. */
export function waitingPlaces({ questions }: Known, open: (address: string) => void): readonly PaletteItem[] {
  return questions.map((question) => ({
    key: `question ${question.id}`,
    title: longWords(question),
    kind: `question, ${question.server}`,
    words: 'answer decide allow refuse',
    isWaiting: true,
    run: () => open(`/inbox/${question.id}`),
  }))
}

/** The screens, each with the question it answers. */
export function screenPlaces(open: (address: string) => void): readonly PaletteItem[] {
  return screens.map(({ to, title, asks }) => itemOf(to, title, asks, () => open(to)))
}

/** Everything else that has an address. */
export function places(known: Known, open: (address: string) => void): readonly PaletteItem[] {
  const at = (...parts: readonly string[]) => `/${parts.map(encodeURIComponent).join('/')}`
  return [
    ...known.servers.map(({ name, state }) =>
      itemOf(`server ${name}`, name, `server, ${stateWord(state)}`, () => open(at('servers', name))),
    ),
    ...known.conversations.map(({ id, title }) =>
      itemOf(`chat ${id}`, title, 'conversation', () => open(at('chat', id))),
    ),
    ...known.entries.flatMap(({ kind, name, server, original }) => {
      // they are shown on the page of their server
      if (kind === 'instructions') return []
      const address = at(screenOf[kind], server, original)
      return itemOf(`${kind} ${name}`, original, `${kind} of ${server}`, () => open(address), verbOf[kind])
    }),
    ...known.resources.map(({ server, uri, name }) =>
      itemOf(`resource ${server} ${uri}`, name, `resource of ${server}`, () => open(at('resources', server, uri)), uri),
    ),
    ...known.rules.map(({ effect, text, file, line }) =>
      itemOf(`rule ${file} ${line} ${text}`, `${effect} ${text}`, 'rule in force', () => open('/policy')),
    ),
    ...known.clients.map(({ id, title, isConnected }) =>
      itemOf(
        `client ${id}`,
        `Connect ${title}`,
        isConnected ? 'client, connected' : 'client',
        () => open(at('connect', id)),
        'install editor',
      ),
    ),
    ...acts(known, (act) => open(at('activity', act))),
  ]
}

/** The newest acts, each with when it was and how it ended. */
function acts({ lines, questions }: Known, open: (act: string) => void): readonly PaletteItem[] {
  return actRows(lines, questions)
    .slice(0, maxActs)
    .flatMap(({ act, server, target, outcome, principal, at, trace }) =>
      act === undefined
        ? []
        : itemOf(
            `act ${act}`,
            `${server} ${target}`,
            `act, ${outcomeWords(outcome)}, ${clockTime(at)}`,
            () => open(act),
            `${principal} why ${trace ?? ''}`,
          ),
    )
}
