import { useCallback, useRef } from 'react'
import { callHost } from '../host/call.ts'

/** Offer whose arguments a server completes; the protocol has this for prompts and templates, not for tools. */
export type Completed =
  | { readonly server: string; readonly prompt: string }
  | { readonly server: string; readonly template: string }

/** Asks a server what it proposes for an argument, in the light of what was filled in already. */
export function useCompletion(of: Completed, filled: { readonly [name: string]: string }) {
  const given = useRef(filled)
  given.current = filled
  const about = useRef(of)
  about.current = of
  return useCallback(async (argument: string, value: string): Promise<readonly string[]> => {
    const { [argument]: _, ...context } = given.current
    const input = { ...about.current, argument, value }
    return (await callHost('complete', { ...input, ...(Object.keys(context).length > 0 && { context }) })).items
  }, [])
}
