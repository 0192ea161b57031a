import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand } from '../command/command.ts'
import { exitCodes } from '../failure/exit-code.ts'
import { Failure, usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import type { Line } from '../output/span.ts'
import { styled } from '../output/span.ts'

type LedgerLine = RouteAnswer<'ledger'>['items'][number]

const verbs = ['tail', 'query', 'verify'] as const

/** `trunkline audit`: what was done, by whom, and why it was allowed. */
export const auditCommand = defineCommand({
  name: 'audit',
  group: 'host',
  summary: 'Shows the ledger of what was done, follows it, or verifies that it is whole',
  usage: ['[query]', 'tail', 'verify'],
  options: {
    server: { type: 'string', value: 'NAME', summary: 'Only what concerns this server' },
    client: { type: 'string', value: 'NAME', summary: 'Only what this program did' },
    outcome: { type: 'string', value: 'WORD', summary: 'Only what ended so: ok, error, denied, refused, cancelled' },
    most: { type: 'string', value: 'NUMBER', summary: 'So many lines; 100 unless said' },
  },
  examples: [
    { line: 'trunkline audit --outcome denied', shows: 'what the policy denied' },
    { line: 'trunkline audit tail', shows: 'what happens, as it happens' },
    { line: 'trunkline audit verify', shows: 'whether anybody changed the record; ends with 3 if so' },
  ],
  async run({ options, output, words, signal }) {
    const host = await openHost()
    const [verb = 'query'] = words
    if (!verbs.includes(verb as (typeof verbs)[number])) {
      throw usageFailure(`Cannot do "audit ${verb}"`, `Write one of: ${verbs.join(', ')}`)
    }
    if (verb === 'verify') {
      const { lines, broken } = await host.call('verify')
      output.result({ lines, broken }, () => [broken ?? `${lines} lines, and every one follows from the one before`])
      if (broken === undefined) return undefined
      throw new Failure('The ledger is not whole', { code: 'Broken', exit: exitCodes.protocolError })
    }
    const { server, client: principal, outcome, most } = options
    const filter = { server, principal, outcome, ...(most !== undefined && { most: Number(most) }) }
    const { items } = await host.call('ledger', filter)
    for (const line of items.toReversed()) output.event(line, () => shownLine(line))
    if (verb === 'query') return undefined
    for await (const event of host.events(signal)) {
      if (event.event === 'line') output.event(event.line, () => shownLine(event.line))
    }
    return undefined
  },
})

function shownLine({ at, line }: LedgerLine): Line {
  const { kind, server, target, principal, outcome, ms, why } = line
  const what = [server, target].filter((part) => part !== undefined).join(':')
  const how = [outcome, ms === undefined ? undefined : `${ms} ms`, why].filter((part) => part !== undefined).join(', ')
  return [
    styled('faint', new Date(at).toISOString()),
    ` ${kind} `,
    styled('name', what),
    principal === undefined ? '' : ` for ${principal}`,
    how === '' ? '' : `: ${how}`,
  ]
}
