import type { Command } from '../command/command.ts'
import { isLiteral, slotAt, type UsageForm, usageForms, wordsTaken } from '../command/usage-form.ts'
import type { Candidate, Completing } from './completing.ts'

/** Candidates for the word at the end, from the forms of a command: its own verbs, servers, clients, skills. */
export async function usageCandidates(
  command: Pick<Command, 'usage' | 'options' | 'summary'>,
  words: readonly string[],
  completing: Completing,
): Promise<readonly Candidate[]> {
  const slots = new Set(usageForms(command).flatMap((form) => slotOf(form, words) ?? []))
  const found = await Promise.all(
    [...slots].map(async (slot): Promise<readonly Candidate[]> => {
      if (slot === 'SERVER') return completing.servers()
      if (slot === 'CLIENT') return completing.clients()
      if (slot === 'SKILL') return completing.skills(words.at(-2) ?? '')
      if (slot === 'SKILL FILE') return completing.skillFiles(words.at(-3) ?? '', words.at(-2) ?? '')
      if (slot === 'SERVER:TOOL') return serverTools(words.at(-1) ?? '', completing)
      return isLiteral(slot) ? slot.split('|').map((text) => ({ text, about: command.summary })) : []
    }),
  )
  return found.flat()
}

/** Slot of a form at the last word, if the words before it fit. */
function slotOf(form: UsageForm, words: readonly string[]): string | undefined {
  const before = words.slice(0, -1)
  if (wordsTaken(form, before) !== before.length) return undefined
  const slot = slotAt(form, before.length)
  // files of this machine are left to the shell
  return slot === 'FILE' && slotAt(form, before.length - 1) === 'SKILL' ? 'SKILL FILE' : slot
}

/** `server:`, and behind it the names of its tools. */
async function serverTools(current: string, completing: Completing): Promise<readonly Candidate[]> {
  const [server = '', tool] = current.split(':', 2)
  if (tool === undefined) return (await completing.servers()).map(({ text, about }) => ({ text: `${text}:`, about }))
  await using asked = await completing.connect(server)
  const tools = (await asked?.client.tools.list().all()) ?? []
  return tools.map(({ name, description = '' }) => ({ text: `${server}:${name}`, about: description }))
}
