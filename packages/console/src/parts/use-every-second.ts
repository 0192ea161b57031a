import { useEffect, useRef, useState } from 'react'

/** A value as it was at the last full second, from its first change on: for what need not follow each change. */
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
  const { value: first } = useRef(shown).current
  const hasChanged = useRef(false)
  useEffect(() => {
    if (hasChanged.current || value === first) return
    hasChanged.current = true
    setShown({ value, now: Date.now() })
  }, [value, first])
  return shown
}
