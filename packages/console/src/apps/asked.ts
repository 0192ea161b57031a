/** Something that an app wants and only the person does. */
export interface Asked<Wanted> {
  readonly wanted: Wanted
  answer(isDone: boolean): void
}

type Show<Wanted> = (change: (now: Asked<Wanted> | undefined) => Asked<Wanted> | undefined) => void

/** Asks the person; one thing at a time, a second one is refused while they look at the first. */
export function ask<Wanted>(wanted: Wanted, show: Show<Wanted>): Promise<boolean> {
  return new Promise((resolve) => {
    show((now) => {
      if (now) {
        resolve(false)
        return now
      }
      const answer = (isDone: boolean) => {
        show(() => undefined)
        resolve(isDone)
      }
      return { wanted, answer }
    })
  })
}
