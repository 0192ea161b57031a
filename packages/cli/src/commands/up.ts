import { defineCommand } from '../command/command.ts'
import { usageFailure } from '../failure/failure.ts'
import { interruption, Terminated } from '../terminal/interrupt.ts'

/** `trunkline up`: runs the host. */
export const upCommand = defineCommand({
  name: 'up',
  group: 'host',
  needs: 'nothing',
  summary: 'Runs the host: your servers, once for all clients, behind one endpoint',
  usage: [''],
  details: [
    'Starts each configured server when it is needed. A server that you have not accepted is never started. Without a configuration it serves the files of this folder, read-only. Stop it with Ctrl-C or "trunkline down"; a second Ctrl-C does not wait for servers that take long to end, and they are killed.',
    'Prints one line whenever the state of a server changes: the state, the seconds it took, and the reason. In a terminal, a live table below shows all servers. Elsewhere only the lines are printed.',
    'Records the search path, certificates and proxies of the terminal it is run in, for hosts that a client starts. TRUNKLINE_ variables that stand for settings count only for a host in the foreground of a terminal; everywhere else only files do.',
    'With --json every event is one line of JSON; the first, when the endpoint answers, is {"event":"ready","mcp":…,"tokenFile":…,"console":…}.',
  ],
  options: {
    port: { type: 'string', value: 'PORT', summary: 'Listen on this port of loopback; 0 takes a free one' },
    detach: { type: 'boolean', short: 'd', summary: 'Run in the background and return when it answers' },
    unattended: {
      type: 'boolean',
      summary: 'Ask nobody: refuse each call that would ask, and name the rule that would allow it',
    },
    background: { type: 'boolean', summary: 'End some time after the last client has left' },
  },
  json: 'one line per event: `{ event: "ready", mcp, tokenFile, console }` when the endpoint answers, then `{ event: "server", name, state, why, seconds }`, `{ event: "question", question }`, `{ event: "withdrawn", id, by }` and `{ event: "found", name, client, file }`; with --detach `{ url, pid }`',
  examples: [
    { line: 'trunkline up', shows: 'the host in this terminal' },
    { line: 'trunkline up --detach', shows: 'the host in the background' },
    { line: 'trunkline up --json --port 0', shows: 'one JSON object per event, for scripts' },
  ],
  async run({ options, output, signal, terminal }) {
    const { useEnvironment } = await import('../host/use-environment.ts')
    await useEnvironment({ isPerson: terminal.isInteractive && !options.background, output })
    if (options.detach) {
      const { runningOrStarted } = await import('../host/start-detached.ts')
      const port = options.port === undefined ? [] : [`--port=${portOf(options.port)}`]
      const { url, pid } = await runningOrStarted({
        options: [...port, ...(options.unattended ? ['--unattended'] : [])],
      })
      output.result({ url, pid }, () => [`The host runs at ${url} (process ${pid})`, 'End it: trunkline down'])
      return undefined
    }
    const ended = 'The host has ended'
    output.endsWhenStopped(ended)
    const { runInForeground } = await import('../host/run-in-foreground.ts')
    const isStopped = await runInForeground({
      output,
      signal,
      unattended: options.unattended === true || process.env.CI === 'true',
      endsWhenIdle: options.background === true,
      isInteractive: terminal.isInteractive,
      ...(options.port !== undefined && { port: portOf(options.port) }),
    })
    if (isStopped && !(signal.reason instanceof Terminated)) throw interruption()
    output.note(ended)
    return undefined
  },
})

function portOf(written: string): number {
  const port = Number(written)
  if (written.trim() !== '' && Number.isInteger(port) && port >= 0 && port <= 65_535) return port
  throw usageFailure(`Cannot use "--port=${written}": it takes a number from 0 to 65535`)
}
