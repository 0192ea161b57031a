import type { Command } from '../command/command.ts'
import type { Candidate, Completing } from './completing.ts'

/** What the forms of a command say may stand at the end of these words: its own verbs, servers, clients. */
export async function usageCandidates(
  { usage, summary }: Pick<Command, 'usage' | 'summary'>,
  words: readonly string[],
  completing: Completing,
): Promise<readonly Candidate[]> {
  const slots = new Set(usage.flatMap((form) => slotOf(form, words) ?? []))
  const found = await Promise.all(
    [...slots].map(async (slot): Promise<readonly Candidate[]> => {
      if (slot === 'SERVER') return completing.servers()
      if (slot === 'CLIENT') return completing.clients()
      if (slot === 'SERVER:TOOL') return serverTools(words.at(-1) ?? '', completing)
      return isLiteral(slot) ? slot.split('|').map((text) => ({ text, about: summary })) : []
    }),
  )
  return found.flat()
}

/** What a form wants where the last word stands, if the words before it fit. */
function slotOf(form: string, words: readonly string[]): string | undefined {
  const slots = form
    .split(' ')
    .filter((slot) => slot !== '' && slot !== '…')
    .map((slot) => slot.replace(/^\[|\]$/g, ''))
  const end = slots.indexOf('--')
  const own = end < 0 ? slots : slots.slice(0, end)
  const at = words.length - 1
  const fits = words.slice(0, at).every((word, index) => {
    const slot = own[index]
    return slot === undefined || !isLiteral(slot) || slot.split('|').includes(word)
  })
  if (!fits) return undefined
  const last = own.at(-1)
  const repeats = last !== undefined && (last.endsWith('…') || form.endsWith(' …'))
  return (own[at] ?? (repeats ? last : undefined))?.replace(/…$/, '')
}

function isLiteral(slot: string): boolean {
  return /^[a-z][a-z|-]*$/.test(slot)
}

/** `server:`, and behind it the names of its tools. */
async function serverTools(current: string, completing: Completing): Promise<readonly Candidate[]> {
  const [server = '', tool] = current.split(':', 2)
  if (tool === undefined) return (await completing.servers()).map(({ text, about }) => ({ text: `${text}:`, about }))
  const client = await completing.connect(server)
  if (!client) return []
  try {
    const tools = await client.tools.list().all()
    return tools.map(({ name, description = '' }) => ({ text: `${server}:${name}`, about: description }))
  } finally {
    await client.close()
  }
}
