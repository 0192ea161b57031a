import { BoundedMap } from '@trunkline/base/bounded-map'
/** The process at the other end of a connection, and the terminal it runs in. */
export interface TerminalProcess {
  readonly pid: number
  /** Time of its start, as its system reports it: with the id, no other process has it. */
  readonly startedAt: string
  /** The controlling terminal, and the session of processes in it. */
  readonly terminal: string
  readonly session: number
}

/** Limits of tickets. */
export interface TicketLimits {
  /** Tickets at the same time; beyond it the oldest ends. @default 100 */
  readonly maxTickets?: number
  /** Validity of a ticket, in milliseconds. @default 15 minutes */
  readonly ticketMs?: number
}

const defaults = { maxTickets: 100, ticketMs: 15 * 60_000 } as const satisfies TicketLimits

/** Processes in front of which a PIN was typed lately. They are not kept over a restart of the host. */
export class Tickets {
  readonly #limits: Required<TicketLimits>
  readonly #until: BoundedMap<string, number>

  constructor(limits: TicketLimits = {}) {
    this.#limits = { ...defaults, ...limits }
    this.#until = new BoundedMap(this.#limits.maxTickets)
  }

  /** Gives a process in a terminal a ticket; tells until when it is good. */
  give(to: TerminalProcess): number {
    const until = Date.now() + this.#limits.ticketMs
    this.#until.set(keyOf(to), until)
    return until
  }

  has(one: TerminalProcess): boolean {
    return (this.#until.get(keyOf(one)) ?? 0) > Date.now()
  }

  endAll(): void {
    this.#until.clear()
  }
}

function keyOf({ pid, startedAt, terminal, session }: TerminalProcess): string {
  return JSON.stringify([pid, startedAt, terminal, session])
}
