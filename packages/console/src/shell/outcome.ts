import { createStore } from '../host/store.ts'

/** Outcome of an action without a place of its own on the screen. */
export interface ShellOutcome {
  readonly text: string
  readonly tone: 'plain' | 'good' | 'bad'
}

/** The last one, as long as it is worth a look. */
export const lastOutcome = createStore<ShellOutcome | undefined>(undefined)

const shownMs = 5_000

let timer: ReturnType<typeof setTimeout> | undefined

/** Shows how something ended for a while; what failed stays until something else is done. */
export function tell(outcome: ShellOutcome | undefined): void {
  clearTimeout(timer)
  lastOutcome.set(outcome)
  if (outcome?.tone === 'good') timer = setTimeout(() => lastOutcome.set(undefined), shownMs)
}

/** Does what may take a while, and tells how it ended. */
export function doAndTell(title: string, run: () => unknown): void {
  const running = run()
  if (!(running instanceof Promise)) return tell(undefined)
  tell({ text: `${title}…`, tone: 'plain' })
  running.then(
    () => tell({ text: `${title}: done`, tone: 'good' }),
    (error: unknown) => tell({ text: error instanceof Error ? error.message : String(error), tone: 'bad' }),
  )
}
