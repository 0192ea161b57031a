import type { Readable, Writable } from 'node:stream'
import { refuseUnknownLimits } from '../../wire/resolve-limits.ts'
import { StdioChannel, type StdioOptions } from './stdio-channel.ts'
import { stdioLimits } from './stdio-limits.ts'

/** Options for messages on streams that are not this process's own. */
export type StreamChannelOptions = Omit<StdioOptions, 'role' | 'onNoise'>

/**
 * The channel of a server on any pair of byte streams, one message per line as over stdio: a socket that was upgraded, a
 * pipe between processes. Who is at the other end, if that was found out, goes along as `sender`.
 */
export function streamChannel(input: Readable, output: Writable, options: StreamChannelOptions = {}): StdioChannel {
  refuseUnknownLimits(options.limits, stdioLimits)
  const channel = new StdioChannel({ input, output }, { ...options, role: 'server' })
  // who takes no more answers is gone
  output.once('error', () => void channel.close())
  return channel
}
