import { defineCommand } from '../command/command.ts'
import { openHost } from '../host/host-link.ts'
import { refuseUnknownServer } from '../host/known-server.ts'
import { serverTable } from '../host/show.ts'
import { tableLines } from '../output/table.ts'

/** `trunkline ls`: what there is, what it costs and what is used. */
export const lsCommand = defineCommand({
  name: 'ls',
  group: 'host',
  needs: 'nothing',
  summary: 'Lists servers, or the tools of one, with their tokens and calls in the last 30 days',
  usage: ['[SERVER]'],
  options: {},
  json: '`{ servers: […] }`, or of one server `{ entries: […] }`',
  examples: [
    { line: 'trunkline ls', shows: 'every server' },
    { line: 'trunkline ls github', shows: 'every tool of a server, with its class' },
  ],
  async run({ output, words }) {
    const host = await openHost()
    const { call } = host
    const [server] = words
    if (server === undefined) {
      const { items: servers } = await call('servers')
      output.result({ servers }, () => serverTable(servers, output.width))
      return undefined
    }
    await refuseUnknownServer(host, server)
    const { items } = await call('catalogue')
    const entries = items.filter((entry) => entry.server === server)
    const columns = [
      { title: 'name', style: 'name' },
      { title: 'kind' },
      { title: 'class' },
      { title: 'standing' },
      { title: 'tokens' },
      { title: 'calls' },
      { title: 'why' },
    ] as const
    const rows = entries.map((entry) => [
      entry.shown,
      entry.kind,
      entry.kind === 'tool' ? entry.class : '',
      entry.standing,
      String(entry.tokens),
      String(entry.callsIn30Days),
      entry.why ?? '',
    ])
    output.result({ entries }, () => tableLines(columns, rows, output.width))
    return undefined
  },
})
