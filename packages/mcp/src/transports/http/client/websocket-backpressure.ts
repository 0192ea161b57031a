// beyond this many unsent bytes senders wait
const highWater = 1_048_576
// sockets have no drain event
const lookMs = 20

/** Makes senders wait until most of the buffer of a WebSocket was sent. */
export class WebSocketBackpressure {
  #waiting: Promise<void> | undefined
  #timer: ReturnType<typeof setInterval> | undefined
  #resolve = (): void => {}

  /** Resolves when there is room; undefined when there is room already. */
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

  /** Resolves all waiting senders. */
  stop(): void {
    clearInterval(this.#timer)
    this.#waiting = undefined
    this.#resolve()
  }
}
