import { BoundedMap } from '@trunkline/base/bounded-map'

/** More than any machine has of one program. */
const usualMaxPrograms = 100

/** Findings about programs by trying them; each is tried once while it is remembered. */
export class TriedPrograms<Finding> {
  readonly #attempt: (path: string) => Promise<Finding>
  readonly #findings: BoundedMap<string, Promise<Finding>>

  constructor(attempt: (path: string) => Promise<Finding>, maxPrograms = usualMaxPrograms) {
    this.#attempt = attempt
    this.#findings = new BoundedMap(maxPrograms)
  }

  /** The finding about the program at this path. */
  of(path: string): Promise<Finding> {
    const finding = this.#findings.get(path) ?? this.#attempt(path)
    this.#findings.set(path, finding)
    return finding
  }
}
