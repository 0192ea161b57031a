import type { CatalogueEntry, ConversationSummary, Question, ServerSummary } from '../../host/queries.ts'

/** One thing that the palette finds. */
export interface PaletteItem {
  readonly key: string
  readonly title: string
  /** What it is, for a person who looks for it. */
  readonly kind: string
  run(): void
}

/** What an item can do. */
export interface PaletteActs {
  open(address: string): void
  restart(server: string): void
  stop(server: string): void
  theme(): void
}

/** What the host has, as far as the page knows it. */
export interface PaletteSources {
  readonly screens: readonly { readonly to: string; readonly title: string; readonly asks: string }[]
  readonly questions: readonly Question[]
  readonly servers: readonly ServerSummary[]
  readonly entries: readonly CatalogueEntry[]
  readonly conversations: readonly ConversationSummary[]
}

/** Everything that can be found and done, what waits for a person first. */
export function paletteItems(
  { screens, questions, servers, entries, conversations }: PaletteSources,
  acts: PaletteActs,
): PaletteItem[] {
  const item = (key: string, title: string, kind: string, run: () => void): PaletteItem => ({ key, title, kind, run })
  return [
    ...questions.map(({ id, server, target }) =>
      item(`question ${id}`, `Answer: ${server} ${target}`, 'question', () => acts.open(`/inbox/${id}`)),
    ),
    ...screens.map(({ to, title, asks }) => item(to, title, asks, () => acts.open(to))),
    ...servers.flatMap(({ name, state }) => [
      item(`server ${name}`, name, `server, ${state}`, () => acts.open(`/servers/${encodeURIComponent(name)}`)),
      item(`restart ${name}`, `Restart ${name}`, 'server', () => acts.restart(name)),
      item(`stop ${name}`, `Stop ${name}`, 'server', () => acts.stop(name)),
    ]),
    item('new conversation', 'New conversation', 'chat', () => acts.open('/chat')),
    ...conversations.map(({ id, title }) => item(`chat ${id}`, title, 'conversation', () => acts.open(`/chat/${id}`))),
    item('theme', 'Change colours', 'light, dark, or as the system', acts.theme),
    ...entries.map(({ kind, name, server, original }) =>
      item(`${kind} ${name}`, original, `${kind} of ${server}`, () =>
        acts.open(`/${places[kind]}/${encodeURIComponent(server)}/${encodeURIComponent(original)}`),
      ),
    ),
  ]
}

const places = { tool: 'tools', prompt: 'prompts', template: 'resources' } as const

const maxShown = 50

/** The items that a text finds: all words must occur, those at the beginning count more. */
export function findItems(items: readonly PaletteItem[], text: string): readonly PaletteItem[] {
  const words = text.toLowerCase().split(/\s+/).filter(Boolean)
  if (words.length === 0) return items.slice(0, maxShown)
  const found: { readonly item: PaletteItem; readonly score: number }[] = []
  for (const item of items) {
    const score = scoreOf(`${item.title} ${item.kind}`.toLowerCase(), words)
    if (score !== undefined) found.push({ item, score })
  }
  return found
    .sort((one, other) => one.score - other.score)
    .slice(0, maxShown)
    .map(({ item }) => item)
}

function scoreOf(text: string, words: readonly string[]): number | undefined {
  let score = text.length / 1_000
  for (const word of words) {
    const at = text.indexOf(word)
    if (at < 0) return undefined
    const isWordStart = at === 0 || /[\s_\-./:]/.test(text[at - 1] ?? '')
    score += (isWordStart ? 0 : 5) + Math.min(at, 50) / 50
  }
  return score
}
