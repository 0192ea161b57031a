import { resolve } from 'node:path'
import type { DefinitionChanges } from '@trunkline/authoring/development'
import { defineCommand } from '../command/command.ts'
import { openServer } from '../command/open-server.ts'
import { serverOptions } from '../command/shared-options.ts'
import { describeError } from '../failure/describe-error.ts'
import { usageFailure } from '../failure/failure.ts'
import { counted } from '../output/counted.ts'
import { type Line, styled } from '../output/span.ts'
import { wireLine, wireRecord } from '../recording/wire-line.ts'

const { stderr, ...others } = serverOptions

/** `trunkline dev`: a server that is started anew with every change. */
export const devCommand = defineCommand({
  name: 'dev',
  group: 'authors',
  needs: 'nothing',
  summary: 'Runs a server while you work on it: restarts it on changes, shows all messages',
  usage: ['-- PROGRAM [ARGUMENT…]'],
  details: [
    'Clients connect to the printed address and stay connected while the server restarts. Its definitions are accepted as they are, marked "(dev)", and never written to a lock, so nothing is trusted after it ends. All messages and everything the server writes to stderr are shown. Its questions are asked in this terminal.',
    'It watches the files in this folder, except hidden files, node_modules and the output of compilers. A server that fails to start, or ends, is started again on the next change.',
  ],
  options: {
    watch: {
      type: 'string',
      value: 'PATH',
      multiple: true,
      summary: 'Watch this file or folder instead of this folder',
    },
    port: { type: 'string', value: 'PORT', summary: 'Listen on this port of 127.0.0.1; by default a free one' },
    'no-wire': { type: 'boolean', summary: 'Do not show messages' },
    ...others,
  },
  json: 'one line each: `{ event: "listening", url }`, `{ event: "started", server, ms, accepted, added, changed, removed }`, `{ event: "failed", code, message }`, `{ event: "ended", message }`, `{ event: "changed", path }`, `{ event: "stderr", text }` and `{ event: "wire", at, direction, message }`',
  examples: [
    { line: 'trunkline dev -- node src/server.ts', shows: 'a server that is being written' },
    {
      line: 'trunkline dev --watch src --port 3333 -- node src/server.ts',
      shows: 'watch one folder, with a fixed address',
    },
  ],
  async run(invocation) {
    const { options, output, signal, program } = invocation
    if (!program?.[0])
      throw usageFailure('Cannot run a server: nothing follows "--"', 'trunkline dev -- node src/server.ts')
    const { DevelopedServer, developmentRelay, TreeWatch } = await import('@trunkline/authoring/development')
    const { serveHttp } = await import('@trunkline/mcp/node')
    const begun = performance.now()
    const say = (event: object, line: Line): void => output.event(event, () => line)
    const open = (starting: AbortSignal) =>
      openServer({
        ...invocation,
        signal: AbortSignal.any([signal, starting]),
        onStderr: (text) => {
          for (const line of text.replace(/\n$/, '').split('\n'))
            say({ event: 'stderr', text: line }, [styled('warning', '  stderr '), line])
        },
        ...(options['no-wire'] !== true && {
          onWire: (direction, message) => {
            const record = wireRecord(direction, message, performance.now() - begun)
            say({ event: 'wire', ...record }, wireLine(record))
          },
        }),
      })
    await using developed = new DevelopedServer(open, {
      started: ({ client, ms, changes }) =>
        say(
          { event: 'started', server: client.server, ms, accepted: 'dev', ...changes },
          startedLine(client.server?.name ?? 'The server', ms, changes),
        ),
      failed: (error) => {
        const { message: all, code } = describeError(error)
        // its output was shown already
        const message = all.split('\n')[0]?.replace(/, after writing to \w+:$/, '') ?? ''
        say({ event: 'failed', code, message }, [
          styled('bad', 'It does not start: '),
          message,
          styled('faint', ' (waiting for a change)'),
        ])
      },
      ended: (reason) => {
        const said = reason instanceof Error ? reason.message : 'The program ended by itself'
        const message = said.split('\n')[0]?.replace(/, after writing to stderr:$/, '') ?? ''
        say({ event: 'ended', message }, [
          styled('bad', 'It ended: '),
          message,
          styled('faint', ' (waiting for a change)'),
        ])
      },
    })
    const relay = developmentRelay(developed)
    await using listening = await serveHttp(relay, { port: portOf(options.port) })
    const watched = (options.watch ?? ['.']).map((path) => resolve(path))
    using watch = new TreeWatch(watched, (path) => {
      say({ event: 'changed', path }, [styled('faint', `${path} has changed`)])
      void developed.restart()
    })
    say({ event: 'listening', url: listening.url }, [
      styled('strong', 'Serving at '),
      styled('name', listening.url),
      styled('faint', `, watching ${counted(watch.size, 'folder')}; Ctrl-C ends`),
    ])
    output.endsWhenStopped('Stopped')
    await developed.restart()
    await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
    return undefined
  },
})

function startedLine(name: string, ms: number, { added, changed, removed }: DefinitionChanges): Line {
  const parts = [
    ...added.map((what) => `+ ${what}`),
    ...changed.map((what) => `~ ${what}`),
    ...removed.map((what) => `- ${what}`),
  ]
  return [
    styled('good', `${name} runs`),
    styled('faint', ` after ${ms} ms`),
    parts.length === 0 ? ', nothing it offers has changed' : `, accepted (dev): ${parts.slice(0, 20).join(', ')}`,
    parts.length > 20 ? ` and ${parts.length - 20} more` : '',
  ]
}

function portOf(written: string | undefined): number {
  const port = Number(written ?? 0)
  if (Number.isInteger(port) && port >= 0 && port <= 65_535 && written !== '') return port
  throw usageFailure(`Cannot use "--port=${written}": it takes a number up to 65535`)
}
