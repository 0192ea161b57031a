import { randomUUID } from 'node:crypto'
import type { Bell } from '@trunkline/mcp/http'
import type { Database } from './database.ts'
import { beforeDeadline } from './deadline.ts'
import type { PgClient } from './driver.ts'
import { storeError } from './store-error.ts'

/** Names of one ring; more are rung as one without a name. */
const mostNames = 100
/** Bytes of a name; PostgreSQL takes 8 000 of a notification. */
const longestName = 7_000
/** Statements on the connection that listens after which a notification has arrived, or never does. */
const looksForProbe = 3
/** Time between two looks whether the connection that listens still answers. */
const betweenLooksMs = 10_000
/** Longest wait between two attempts to listen again. */
const longestWaitMs = 2_000

type Listener = (name?: string) => void

/** Rings by NOTIFY, and listens on one connection, which is made again when it breaks. */
export class PostgresBell implements Bell {
  readonly #database: Database
  readonly #channel: string
  readonly #listeners = new Set<Listener>()
  /** Notifications of this process that did not arrive yet. */
  readonly #probes = new Set<string>()
  #client: PgClient | undefined
  #timer: ReturnType<typeof setTimeout> | undefined
  #isClosed = false

  constructor(database: Database, channel: string) {
    this.#database = database
    this.#channel = channel
  }

  /** Begins to listen; false if notifications do not arrive, as behind a pooler that gives each transaction another connection. */
  async open(): Promise<boolean> {
    const client = await this.#database.hold()
    client.on('error', ignore)
    let isHeard = false
    try {
      isHeard = await this.#begin(client)
    } finally {
      if (!isHeard) client.release(true)
    }
    if (isHeard) this.#keep(client)
    return isHeard
  }

  async ring(names: readonly string[]): Promise<void> {
    if (names.length === 0) return
    const texts = names.map((name) => JSON.stringify(name))
    const isTooMuch = texts.length > mostNames || texts.some((text) => Buffer.byteLength(text) > longestName)
    await this.#notify(isTooMuch ? [''] : texts)
  }

  listen(onRing: Listener): () => void {
    // the same function may listen twice
    const listener: Listener = (name) => onRing(name)
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  close(): void {
    this.#isClosed = true
    clearTimeout(this.#timer)
    this.#client?.release(true)
    this.#client = undefined
  }

  async #notify(texts: readonly string[]): Promise<void> {
    await this.#database.query('SELECT pg_notify($1, text) FROM unnest($2::text[]) AS text', [this.#channel, texts])
  }

  /** Listens on a connection; true when a notification of another connection arrived. */
  async #begin(client: PgClient): Promise<boolean> {
    client.on('notification', ({ payload = '' }) => this.#hear(payload))
    try {
      await this.#answer(client, `LISTEN ${this.#channel}`)
    } catch (error) {
      // an answer of the server, or of a pooler that knows no LISTEN
      if (error instanceof Error && 'severity' in error) return false
      throw storeError(error)
    }
    // not JSON, so that other processes take it for no name
    const probe = `?${randomUUID()}`
    this.#probes.add(probe)
    try {
      await this.#notify([probe])
      // a connection tells of notifications before it says that a statement has ended, however long that takes
      for (let look = 0; look < looksForProbe && this.#probes.has(probe); look++) await this.#answer(client, 'SELECT 1')
      return !this.#probes.has(probe)
    } finally {
      this.#probes.delete(probe)
    }
  }

  #hear(text: string): void {
    this.#probes.delete(text)
    if (!text.startsWith('?')) this.#tell(text === '' ? undefined : (JSON.parse(text) as string))
  }

  #tell(name?: string): void {
    for (const listener of this.#listeners) listener(name)
  }

  #keep(client: PgClient): void {
    if (this.#isClosed) return client.release(true)
    this.#client = client
    const onLost = (): void => this.#lose(client)
    client.on('error', onLost)
    client.on('end', onLost)
    this.#lookLater(client)
  }

  /** Looks from time to time whether the connection answers: one that is held on its way says nothing by itself. */
  #lookLater(client: PgClient): void {
    this.#timer = setTimeout(() => {
      this.#answer(client, 'SELECT 1').then(
        () => this.#client === client && this.#lookLater(client),
        () => this.#lose(client),
      )
    }, betweenLooksMs)
    this.#timer.unref()
  }

  #lose(client: PgClient): void {
    if (this.#client !== client) return
    this.#client = undefined
    clearTimeout(this.#timer)
    client.release(true)
    this.#listenAgain(0)
  }

  #listenAgain(waitMs: number): void {
    if (this.#isClosed) return
    const again = (): void => this.#listenAgain(Math.min(longestWaitMs, 50 + 2 * waitMs))
    // processes that lost the same server do not come back at the same time
    this.#timer = setTimeout(
      () => {
        // what was rung meanwhile was missed
        this.open().then((isHeard) => (isHeard ? this.#tell() : again()), again)
      },
      waitMs * (0.5 + Math.random() / 2),
    )
    this.#timer.unref()
  }

  /** Runs a statement on the connection that listens. */
  async #answer(client: PgClient, sql: string): Promise<void> {
    const deadline = { ms: this.#database.deadlineMs, what: `answer to "${sql}" on the connection that listens` }
    await beforeDeadline(client.query(sql), { ...deadline, outcome: 'Unknown' })
  }
}

function ignore(): void {}
