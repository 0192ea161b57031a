import { gate } from '../../gate.ts'

/** State that the tools of one café share, however many servers its library makes for it. */
export interface Kitchen {
  readonly finished: ReturnType<typeof gate<void>>
  readonly aborted: ReturnType<typeof gate<string>>
}

export function kitchen(): Kitchen {
  return { finished: gate(), aborted: gate<string>() }
}
