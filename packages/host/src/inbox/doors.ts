import type { Door, Question } from './question.ts'

/** All ways to reach a person; one that fails does not keep the others from working. */
export class Doors {
  readonly #doors = new Set<Door>()

  /** Adds a door until the returned function is called. */
  add(door: Door): () => void {
    this.#doors.add(door)
    return () => this.#doors.delete(door)
  }

  present(question: Question): void {
    this.#each((door) => door.present(question))
  }

  change(question: Question): void {
    this.#each((door) => door.change?.(question))
  }

  withdraw(id: string, by: string): void {
    this.#each((door) => door.withdraw(id, by))
  }

  #each(use: (door: Door) => void): void {
    for (const door of this.#doors) {
      try {
        use(door)
      } catch {
        // a door that is broken must not close the others, and the question is still in the inbox
        this.#doors.delete(door)
      }
    }
  }
}
