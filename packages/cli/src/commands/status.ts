import { findPlaces, recordedEnvironment, thisMachine } from '@trunkline/host/api'
import { redact } from '@trunkline/host/text'
import { defineCommand } from '../command/command.ts'
import { noSuchOf } from '../failure/no-such.ts'
import { environmentLines } from '../host/host-health.ts'
import { type HostLink, openHost } from '../host/host-link.ts'
import {
  ago,
  disabledLines,
  disabledServer,
  nextCommand,
  serverTable,
  stateCause,
  stateInWords,
  stateStyles,
} from '../host/show.ts'
import { counted } from '../output/counted.ts'
import { type Line, styled } from '../output/span.ts'

/** `trunkline status`: whether everything is well. */
export const statusCommand = defineCommand({
  name: 'status',
  group: 'host',
  needs: 'nothing',
  summary: 'Shows the state of the host and its servers, and what to do next',
  usage: ['[SERVER]'],
  options: {},
  json: 'the host, the `environment` recorded for hosts that a client starts, the clients that start servers past the host as `bypasses: [{ client, isConnected, entries: [{ name, why }] }]`, those that are `disabled: [{ name, source }]`, and `servers: […]`, or one server with its `log`, `processes` and what was `unusable` of its answers; of a disabled one `{ name, disabled: true, source }`',
  examples: [
    { line: 'trunkline status', shows: 'the host and every server' },
    { line: 'trunkline status github', shows: 'one server: its state, why, what it wrote, and one command to type' },
  ],
  async run({ output, words }) {
    const host = await openHost()
    // a host of an earlier version does not say which are disabled
    const { items: servers, disabled = [] } = await host.call('servers')
    const [name] = words
    if (name !== undefined) return showServer(host, name)
    const status = await host.call('status')
    const recorded = await recordedEnvironment(findPlaces(thisMachine()))
    const { bypasses, bypassLines, thisInstalling } = await import('../host/installing.ts')
    const past = await bypasses(thisInstalling())
    const environment = recorded && { at: recorded.at, variables: redact(recorded.variables) }
    output.result({ ...status, ...(environment && { environment }), bypasses: past, disabled, servers }, () => [
      `The host runs at ${status.mcp} for ${ago(status.startedAt)} (process ${status.pid})`,
      ...(status.questions > 0
        ? [styled('warning', `${counted(status.questions, 'question')} to answer: trunkline inbox`)]
        : []),
      ...(status.leftovers.length > 0
        ? [
            styled(
              'warning',
              `${counted(status.leftovers.length, 'process of an earlier host was left, and was', 'processes of an earlier host were left, and were')} ended:`,
            ),
            ...status.leftovers.map(({ pid, command }) => styled('faint', `  ${pid} ${command}`)),
          ]
        : []),
      ...status.problems.map(({ file, line, key, problem, fix }) =>
        styled('warning', `${file}:${line}: ${key} ${problem}; ${fix}`),
      ),
      ...status.waiting.map(({ file }) =>
        styled('warning', `${file} permits nothing until you accept it: trunkline inbox`),
      ),
      ...bypassLines(past),
      ...environmentLines(recorded),
      ...serverTable(servers, output.width),
      ...disabledLines(disabled),
    ])
    return undefined

    async function showServer({ call }: HostLink, wanted: string) {
      const server = servers.find((one) => one.name === wanted)
      const off = disabled.find((one) => one.name === wanted)
      if (!server && off) {
        output.result({ name: off.name, disabled: true, source: off.source }, () => disabledServer(off))
        return undefined
      }
      const names = [...servers, ...disabled].map((one) => one.name)
      if (!server) throw await noSuchOf(`There is no server "${wanted}"`, wanted, names)
      const { items: log } = await call('log', { server: wanted })
      const { items: processes } = await call('processes', { server: wanted })
      const { unusable } = await call('server', { server: wanted })
      const next = nextCommand(server)
      const cause = stateCause(server)
      output.result({ ...server, unusable, log, processes }, (): readonly Line[] => [
        [
          styled('name', server.name),
          ' ',
          styled(stateStyles[server.state], stateInWords(server.state)),
          ` (for ${ago(server.since)})`,
        ],
        ...(cause === '' ? [] : [cause]),
        styled('faint', server.command),
        ...(server.source === undefined ? [] : [styled('faint', `configured at ${server.source}`)]),
        ...(server.data === undefined ? [] : [`Its data are marked ${server.data}`]),
        `${counted(server.tools, 'tool')}, about ${counted(server.tokens, 'token')} in each conversation, ${counted(server.callsIn30Days, 'call')} in 30 days`,
        // the first one stands in its state already
        ...unusable.slice(1).map((one) => styled('warning', one)),
        ...processTree(processes),
        ...log.slice(-20).map(({ text }) => styled('faint', `| ${text}`)),
        ...(next === undefined ? [] : [['Next: ', styled('strong', next)]]),
      ])
      return undefined
    }
  },
})

interface ServerProcess {
  readonly pid: number
  readonly parent: number
  readonly command: string
}

/** The processes of a server, each below the one that started it. */
function processTree(all: readonly ServerProcess[], parent?: number, indent = ''): readonly Line[] {
  const known = new Set(all.map(({ pid }) => pid))
  const here = all.filter((one) => (parent === undefined ? !known.has(one.parent) : one.parent === parent))
  return here.flatMap(({ pid, command }) => [
    styled('faint', `${indent}${pid} ${command}`),
    ...processTree(all, pid, `${indent}  `),
  ])
}
