import { gate } from '../../gate.ts'

/** What the tools of one café know together, however many servers its library makes for it. */
export interface Kitchen {
  readonly finished: ReturnType<typeof gate<void>>
  readonly aborted: ReturnType<typeof gate<string>>
}

export function kitchen(): Kitchen {
  return { finished: gate(), aborted: gate<string>() }
}
