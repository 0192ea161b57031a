import type { RouteAnswer } from '@trunkline/host/api'
import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { openHost } from '../host/host-link.ts'
import { ago } from '../host/show.ts'
import { tableLines } from '../output/table.ts'

const columns = [
  { title: 'id', style: 'name' },
  { title: 'covers', wraps: true },
  { title: 'given' },
  { title: 'holds' },
] as const

/** `trunkline grants`: what answers permit without a question. */
export const grantsCommand = defineCommand({
  name: 'grants',
  group: 'host',
  needs: { '': 'nothing', revoke: 'person' },
  summary: 'Lists what your answers allow without a question at the moment, or revokes it',
  usage: ['', 'revoke ID…', 'revoke --all'],
  details: [
    'Answers for the session, in this project, and "trust" are listed, each with the tools and clients it covers. A tool is covered with the definition it had, a client by its identity: a tool that changes or comes later asks again, and so does a new client. Tools that destroy ask every time. What "always" allows is a rule: see "trunkline policy".',
  ],
  options: { all: { type: 'boolean', summary: 'revoke: everything' } },
  json: '`{ items: [{ id, choice, server, tools, clients, project, grantedAt, until, says }] }`; revoke prints `{ revoked: […] }`',
  examples: [
    { line: 'trunkline grants', shows: 'what is allowed without a question, for how long' },
    { line: 'trunkline grants revoke --all', shows: 'from now on everything asks again' },
  ],
  async run({ options, output, words }) {
    const [verb, ...ids] = words
    const host = await openHost()
    const { items } = await host.call('grants')
    if (verb === undefined) {
      if (options.all) throw usageFailure('Cannot use "--all" here: write "trunkline grants revoke --all"')
      const rows = items.map(({ id, says, grantedAt, until, choice }) => [
        id,
        says,
        `${ago(grantedAt)} ago`,
        choice === 'project' ? 'until you revoke it, or 30 days unused' : `${ago(Date.now(), until)} more`,
      ])
      const nothing = 'Nothing is allowed for a while; "trunkline policy" lists rules'
      output.result({ items }, () => (rows.length === 0 ? [nothing] : tableLines(columns, rows, output.width)))
      return undefined
    }
    const wanted = options.all ? items.map(({ id }) => id) : ids
    if (wanted.length === 0 && !options.all) {
      throw usageFailure('Cannot revoke nothing: name a grant, or write "--all"', 'See them: trunkline grants')
    }
    const unknown = wanted.find((id) => !items.some((one) => one.id === id))
    if (unknown !== undefined) throw usageFailure(`There is no grant "${unknown}"`, 'See them: trunkline grants')
    const revoked: RouteAnswer<'revokeGrant'>[] = []
    for (const id of wanted) revoked.push(await host.call('revokeGrant', { id }))
    output.result({ revoked }, () => revoked.map(({ says }) => `Revoked: ${says}`))
    return undefined
  },
})
