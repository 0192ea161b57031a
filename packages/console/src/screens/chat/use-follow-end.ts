import { useEffect, useRef } from 'react'

/** Distance from the end of the page within which the reader follows it, in pixels. */
const nearPixels = 240

/** Keeps the end of the messages in sight for who was there; who reads above stays where they are. */
export function useFollowEnd(state: string): void {
  const wasNear = useRef(true)
  useEffect(() => {
    const look = () => {
      const { scrollHeight, clientHeight, scrollTop } = document.documentElement
      wasNear.current = scrollHeight - clientHeight - scrollTop < nearPixels
    }
    addEventListener('scroll', look, { passive: true })
    return () => removeEventListener('scroll', look)
  }, [])
  // biome-ignore lint/correctness/useExhaustiveDependencies: each new state may make the page longer
  useEffect(() => {
    if (wasNear.current) scrollTo({ top: document.documentElement.scrollHeight })
  }, [state])
}
