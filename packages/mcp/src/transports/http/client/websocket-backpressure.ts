// more than this unsent, and whoever sends is asked to wait
const highWater = 1_048_576
// sockets do not tell when there is room again
const lookMs = 20

/** Tells whoever sends over a socket to wait until most of what it was given has left. */
export class WebSocketBackpressure {
  #waiting: Promise<void> | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #resolve = (): void => {}

  /** Resolves when there is room; nothing when there is some already. */
  whenDrained(socket: Pick<WebSocket, 'bufferedAmount'>): Promise<void> | undefined {
    if (this.#waiting || socket.bufferedAmount <= highWater) return this.#waiting
    this.#waiting = new Promise((resolve) => {
      this.#resolve = resolve
    })
    this.#timer = setInterval(() => {
      if (socket.bufferedAmount <= highWater) this.stop()
    }, lookMs)
    return this.#waiting
  }

  /** Lets everybody go on. */
  stop(): void {
    clearInterval(this.#timer)
    this.#waiting = undefined
    this.#resolve()
  }
}
