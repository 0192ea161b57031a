import { PassingMap } from './passing-map.ts'

/** A set whose members come and go with every call; see {@link PassingMap} for why it is no `Set`. */
export class PassingSet<Member> {
  readonly #members = new PassingMap<number, Member>()
  #next = 0

  get size(): number {
    return this.#members.size
  }

  /** Adds a member and returns its place, to remove it by. */
  add(member: Member): number {
    const place = this.#next
    this.#next += 1
    this.#members.set(place, member)
    return place
  }

  delete(place: number): void {
    this.#members.delete(place)
  }

  /** The members, oldest first. */
  [Symbol.iterator](): Generator<Member> {
    return this.#members.values()
  }
}
