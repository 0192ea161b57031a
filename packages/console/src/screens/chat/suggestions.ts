import { type KeyboardEvent, useEffect, useState } from 'react'
import { callHost } from '../../host/call.ts'
import type { Draft } from './draft.ts'

/** Suggestions for the last word. */
export interface Suggestions {
  readonly word: string
  readonly shown: readonly { readonly text: string; readonly about: string }[]
  readonly chosen: number
  choose(index: number): void
  /** Handles a key; tells whether it was one for the list. */
  onKey(event: KeyboardEvent, accept: (candidate: string) => void): boolean
}

const waitMs = 120
const maxShown = 12

/** Suggestions found for a text; they do not count for any other text, also while that one is asked about. */
interface Found extends Pick<Suggestions, 'word' | 'shown'> {
  readonly of: string
}

const none: Found = { of: '', word: '', shown: [] }

/** Asks what the last word may become, when a person pauses. */
export function useSuggestions(text: string): Suggestions {
  const [last, setFound] = useState<Found>(none)
  const [chosen, choose] = useState(0)
  useEffect(() => {
    const word = /\S*$/.exec(text)?.[0] ?? ''
    choose(0)
    if (!word.startsWith('@') && !/^\/[^\n]*$/.test(text)) return
    const stop = new AbortController()
    const ask = async () => {
      const answer = await callHost('completeChat', { text }, { signal: stop.signal })
      const shown = answer.candidates.map((candidate, at) => ({ text: candidate, about: answer.about[at] ?? '' }))
      // a word that is whole already needs no list
      const isWhole = shown.length === 1 && shown[0]?.text === answer.word
      setFound(isWhole ? none : { of: text, word: answer.word, shown: shown.slice(0, maxShown) })
    }
    // without proposals one types the rest oneself
    const timer = setTimeout(() => void ask().catch(() => {}), waitMs)
    return () => {
      clearTimeout(timer)
      stop.abort()
    }
  }, [text])
  const { word, shown } = last.of === text ? last : none
  return {
    word,
    shown,
    chosen,
    choose,
    onKey(event, accept) {
      if (shown.length === 0) return false
      const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
      const isAccepting = event.key === 'Enter' || event.key === 'Tab'
      if (step === undefined && !isAccepting && event.key !== 'Escape') return false
      event.preventDefault()
      if (step !== undefined) choose((chosen + step + shown.length) % shown.length)
      else if (isAccepting) accept(shown[chosen]?.text ?? '')
      else setFound(none)
      return true
    },
  }
}

/** The draft with its last word made whole; a resource is attached and stands in the text no more. */
export function accepted({ text, attach }: Draft, word: string, candidate: string): Draft {
  const before = text.slice(0, text.length - word.length)
  if (candidate.startsWith('@')) return { text: before, attach: [...new Set([...attach, candidate.slice(1)])] }
  return { text: `${before}${candidate}${candidate.endsWith('=') ? '' : ' '}`, attach }
}
