import type { Entry } from './entry.ts'

/** Kind of name to look up an entry by: its server's own, that of the aggregate, or that of an address of its server. */
export type Naming = 'original' | 'name' | 'shown'

/** The entries of one server, found by any of their names in the same time however many there are. */
export class ServerEntries {
  readonly all: readonly Entry[]
  readonly #indexes = new Map<Naming, ReadonlyMap<string, Entry>>()

  constructor(all: readonly Entry[]) {
    this.all = all
  }

  /** The first entry of a kind with this name. */
  find(kind: Entry['kind'], naming: Naming, name: string): Entry | undefined {
    const index = this.#indexes.get(naming) ?? this.#indexed(naming)
    return index.get(keyOf(kind, name))
  }

  #indexed(naming: Naming): ReadonlyMap<string, Entry> {
    const index = new Map<string, Entry>()
    // of two with the same name the first counts, so it is put in last
    for (const entry of this.all.toReversed()) index.set(keyOf(entry.kind, entry[naming]), entry)
    this.#indexes.set(naming, index)
    return index
  }
}

function keyOf(kind: Entry['kind'], name: string): string {
  return `${kind} ${name}`
}
