import { wrapped } from '../command/help.ts'
import { usageFailure } from '../failure/failure.ts'
import type { Output } from '../output/output.ts'
import { type Line, styled } from '../output/span.ts'
import { tableLines } from '../output/table.ts'
import type { TerminalQuestions } from '../terminal/questions.ts'
import type { HostLink } from './host-link.ts'

/** The classes of tools by the letter that chooses one, and what follows from each. */
const classes = {
  r: ['reads', 'run unasked'],
  w: ['writes', 'ask once'],
  u: ['unknown', 'ask once'],
  d: ['destroys', 'ask every time'],
} as const

type Letter = keyof typeof classes

interface Offering {
  readonly accepted: string
  readonly tools: readonly { readonly name: string; readonly class: string }[]
}

/** Table of tools by server and class; no name is cut. */
export function classLines(servers: readonly Offering[], width: number): readonly Line[] {
  const most = Number.isFinite(width) ? width : 120
  const lines = servers.flatMap(({ accepted, tools }) =>
    Object.values(classes).flatMap(([name, follows]): readonly Line[] => {
      const names = tools.filter((tool) => tool.class === name).map((tool) => tool.name)
      if (names.length === 0) return []
      const [first = '', ...rest] = wrapped(names.join(', '), Math.max(40, most - 4))
      return [
        [styled('name', accepted), ` ${name} (${follows}), ${names.length}:`],
        `    ${first}`,
        ...rest.map((line) => `    ${line}`),
      ]
    }),
  )
  if (lines.length === 0) return []
  return [styled('strong', 'What the tools do'), ...lines, 'Change a class: trunkline accept SERVER --classes']
}

/** Lets a person go through the tools of a server and say what each does; nothing is changed by an empty line. */
export async function reviewClasses(
  server: string,
  {
    call,
    output,
    questions,
  }: { readonly call: HostLink['call']; readonly output: Output; readonly questions: TerminalQuestions },
): Promise<readonly { readonly tool: string; readonly class: string }[]> {
  const changed: { tool: string; class: string }[] = []
  for (;;) {
    const { items } = await call('catalogue')
    const tools = items.filter((entry) => entry.server === server && entry.kind === 'tool')
    if (tools.length === 0) throw usageFailure(`Cannot show the tools of "${server}": it has none that are accepted`)
    const rows = tools.map((entry, at) => [String(at + 1), entry.original, entry.class])
    questions.say(
      ...tableLines([{ title: '' }, { title: 'tool', style: 'name' }, { title: 'class' }], rows, output.width),
    )
    const answer = await questions.line(
      'Change one, such as 3d (r reads, w writes, u unknown, d destroys); Enter ends:',
    )
    if (answer === undefined || answer === '') return changed
    const [, number, letter = ''] = /^(\d+)\s*([rwud])$/i.exec(answer) ?? []
    const tool = tools[Number(number) - 1]
    if (tool === undefined) {
      questions.say(styled('warning', `"${answer}" is no number of the list with a letter behind it`))
      continue
    }
    const [decided] = classes[letter.toLowerCase() as Letter]
    await call('changeEntry', { server, tool: tool.original, class: decided })
    changed.push({ tool: tool.original, class: decided })
  }
}
