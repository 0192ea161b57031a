import { useEffect, useRef, useState } from 'react'

/** A value as it was at the last full second: for what is dear to draw and need not follow each change. */
export function useEverySecond<Value>(value: Value): { readonly value: Value; readonly now: number } {
  const newest = useRef(value)
  newest.current = value
  const [shown, setShown] = useState(() => ({ value, now: Date.now() }))
  useEffect(() => {
    const timer = setInterval(() => {
      if (!document.hidden) setShown({ value: newest.current, now: Date.now() })
    }, 1_000)
    return () => clearInterval(timer)
  }, [])
  return shown
}
