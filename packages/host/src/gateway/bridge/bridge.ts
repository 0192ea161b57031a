import type { Duplex, Readable, Writable } from 'node:stream'
import { BridgedConversation } from './conversation.ts'
import { dialHost, type HostLine, HostRefused } from './dial-host.ts'
import { eachLine } from './lines.ts'

export interface BridgeOptions {
  readonly input: Readable
  readonly output: Writable
  /** Finds the host; starts one when none runs. */
  find(): Promise<HostLine>
  /** Something that a person may want to know. */
  onNote?(text: string): void
}

/** Between tries to reach a host that went away, in milliseconds. */
const retryMs = [50, 100, 200, 400, 800] as const
/** Tries in a row after which the host counts as gone. */
const maxTries = 20

/**
 * Carries lines between a client and the host until the client ends. When the host restarts, the conversation goes on:
 * the client gets errors for the lost calls, and notices nothing else.
 */
export async function bridge(options: BridgeOptions): Promise<void> {
  const { input, output } = options
  const conversation = new BridgedConversation()
  const link = new HostSocket()
  let isOver = false
  const ended = eachLine(input, async (line) => {
    // nothing is read from the client while there is no host
    const socket = await link.connected
    conversation.fromClient(line)
    if (!socket.write(`${line}\n`)) await drained(socket)
  }).finally(() => {
    isOver = true
    link.current?.end()
  })
  for (let isFirst = true; !isOver; isFirst = false) {
    const socket = await Promise.race([reach(options, () => isOver), ended.then(() => undefined)])
    if (!socket) break
    if (!isFirst) {
      for (const line of conversation.greeting()) socket.write(`${line}\n`)
      for (const line of conversation.missed()) output.write(`${line}\n`)
    }
    link.open(socket)
    await eachLine(socket, (line) => {
      const shown = conversation.fromHost(line)
      return shown === undefined || output.write(`${shown}\n`) ? undefined : drained(output)
    }).catch(() => {})
    link.lose()
    if (isOver) break
    for (const line of conversation.lost()) output.write(`${line}\n`)
    options.onNote?.('The host went away; connecting again')
  }
  await ended
}

/** The connection to the host, while there is one. */
class HostSocket {
  current: Duplex | undefined
  connected: Promise<Duplex>
  #open: (socket: Duplex) => void = () => {}

  constructor() {
    this.connected = this.#awaited()
  }

  open(socket: Duplex): void {
    this.current = socket
    this.#open(socket)
  }

  lose(): void {
    this.current = undefined
    this.connected = this.#awaited()
  }

  #awaited(): Promise<Duplex> {
    return new Promise((resolve) => {
      this.#open = resolve
    })
  }
}

async function reach({ find }: BridgeOptions, isOver: () => boolean): Promise<Duplex | undefined> {
  for (let tries = 0; !isOver(); tries += 1) {
    try {
      return await dialHost(await find())
    } catch (error) {
      if (error instanceof HostRefused || tries >= maxTries) throw error
      await new Promise((resolve) => setTimeout(resolve, retryMs[Math.min(tries, retryMs.length - 1)]))
    }
  }
  return undefined
}

function drained(stream: Writable): Promise<void> {
  return new Promise((resolve) => {
    // both are removed, or each wait would leave one behind
    const done = (): void => {
      stream.off('drain', done).off('close', done)
      resolve()
    }
    stream.on('drain', done).on('close', done)
  })
}
