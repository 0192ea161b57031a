import { useEffect, useState } from 'react'
import { relativeTime } from './relative-time.ts'

const everyMs = 10_000

/** A moment as people say it, kept true. */
export function Time({ at }: { readonly at: number }) {
  const [, setNow] = useState(Date.now)
  useEffect(() => {
    const timer = setInterval(() => setNow(Date.now()), everyMs)
    return () => clearInterval(timer)
  }, [])
  return (
    <time dateTime={new Date(at).toISOString()} title={new Date(at).toLocaleString()}>
      {/* by the clock and not by the last tick: what happened since then does not lie ahead */}
      {relativeTime(at)}
    </time>
  )
}
