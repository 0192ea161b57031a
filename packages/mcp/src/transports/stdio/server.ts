import { constants } from 'node:os'
import type { Channel } from '../../rpc/channel.ts'
import { Peer } from '../../rpc/peer.ts'
import { isObject } from '../../wire/messages.ts'
import { refuseUnknownLimits } from '../../wire/resolve-limits.ts'
import { describeInFlight, endingNotice } from '../describe-in-flight.ts'
import { stdioLimits } from './limits.ts'
import { StdioChannel, type StdioOptions } from './stdio-channel.ts'

/** How a server reads its standard input and writes its standard output. */
export type StdioServerOptions = Omit<StdioOptions, 'role' | 'onNoise'>

const parentPollMs = 1_000

/** The channel of a server on this process's own stdin and stdout; until it closes, stray output goes to stderr. */
export function stdioServerChannel(options: StdioServerOptions = {}): StdioChannel {
  refuseUnknownLimits(options.limits, stdioLimits)
  const { stdin: input, stdout: output } = process
  const release = async (flushed: Promise<unknown>): Promise<void> => {
    await flushed
    restore()
    input.destroy()
  }
  const channel = new StdioChannel({ input, output, release }, { ...options, role: 'server' })
  const restore = divertToStderr(output)
  // a client that takes no more answers is gone
  output.once('error', () => void channel.close())
  return channel
}

/**
 * Serves on this process's own stdin and stdout. At the end of the input, on SIGTERM or SIGINT, or when the parent dies,
 * the last answers leave; then the promise resolves and the process exits, whatever else it has running.
 */
export async function serveStdio(start: (channel: Channel) => unknown, options?: StdioServerOptions): Promise<void> {
  const channel = stdioServerChannel(options)
  const connection = start(channel)
  const peer = isObject(connection) && connection.peer instanceof Peer ? connection.peer : undefined
  endOnSignals(channel, () => endingNotice(describeInFlight(peer?.underWay ?? []), channel.drainMs))
  const parent = process.ppid
  setInterval(() => process.ppid !== parent && channel.end(), parentPollMs).unref()
  await channel.finished
  setImmediate(() => process.exit())
}

/** The first signal lets the last answers leave, the second does not wait for them. */
function endOnSignals(channel: StdioChannel, notice: () => string | undefined): void {
  let isEnding = false
  const end = (signal: NodeJS.Signals): void => {
    if (isEnding) process.exit(128 + constants.signals[signal])
    isEnding = true
    const waitsFor = notice()
    if (waitsFor !== undefined) console.error(waitsFor)
    void channel.end()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
}

/** Leads `console.log` and everyone else who writes to stdout to stderr; returns the way back. */
function divertToStderr(stdout: typeof process.stdout): () => void {
  const { write } = stdout
  stdout.write = process.stderr.write.bind(process.stderr)
  return () => {
    stdout.write = write
  }
}
