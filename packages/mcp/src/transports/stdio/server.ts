import { constants } from 'node:os'
import type { Channel } from '../../rpc/channel.ts'
import { Peer } from '../../rpc/peer.ts'
import { isObject } from '../../wire/messages.ts'
import { refuseUnknownLimits } from '../../wire/resolve-limits.ts'
import { describeInFlight, endingNotice } from '../describe-in-flight.ts'
import { StdioChannel, type StdioOptions } from './stdio-channel.ts'
import { stdioLimits } from './stdio-limits.ts'

/** Options of a server over stdio. */
export type StdioServerOptions = Omit<StdioOptions, 'role' | 'onNoise'>

const parentPollMs = 1_000

/**
 * The channel of a server on stdin and stdout of this process; until it closes, other output to stdout goes to
 * stderr.
 */
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
  // a client that closed its input is gone
  output.once('error', () => void channel.close())
  return channel
}

/**
 * Serves on stdin and stdout of this process. At the end of input, on SIGTERM or SIGINT, or when the parent dies, the
 * last answers are sent; then the promise resolves and the process exits.
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

/** The first signal waits for the last answers, the second does not. */
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

/** Redirects all other output to stdout, such as `console.log`, to stderr; returns a function that undoes it. */
function divertToStderr(stdout: typeof process.stdout): () => void {
  const { write } = stdout
  stdout.write = process.stderr.write.bind(process.stderr)
  return () => {
    stdout.write = write
  }
}
