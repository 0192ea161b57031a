import { type KeyboardEvent, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { findPlaces, maxPlaces, type Place } from '../text/find-places.ts'
import { formatNumber } from '../text/number.ts'
import styles from './result.module.css'

export interface FindInTextProps {
  readonly text: string
  readonly label: string
  /** Shows a place; none when nothing is looked for any more. */
  onPlace(place: Place | undefined): void
}

interface Found {
  readonly words: string
  readonly places: readonly Place[]
  readonly at: number
}

/** Finds words in all of a text, of which the page holds only a part. */
export function FindInText({ text, label, onPlace }: FindInTextProps) {
  const [words, setWords] = useState('')
  const [found, setFound] = useState<Found>()
  const go = (step: number) => {
    const isKnown = found?.words === words
    const places = isKnown ? found.places : findPlaces(text, words)
    const at = isKnown ? (found.at + step + places.length) % Math.max(1, places.length) : 0
    setFound({ words, places, at })
    onPlace(places[at])
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter') return
    event.preventDefault()
    go(event.shiftKey ? -1 : 1)
  }
  return (
    <>
      <input
        type="search"
        className={styles.find}
        aria-label={`Find in ${label}`}
        placeholder="Find in all of it"
        value={words}
        onKeyDown={onKeyDown}
        onChange={({ target }) => setWords(target.value)}
      />
      <Button size="s" disabled={words === ''} onClick={() => go(1)}>
        Find
      </Button>
      <span role="status">{found && found.words === words && inWords(found)}</span>
    </>
  )
}

function inWords({ places, at }: Found): string {
  if (places.length === 0) return 'Not found'
  const more = places.length === maxPlaces ? ' or more' : ''
  return `${formatNumber(at + 1)} of ${formatNumber(places.length)}${more}`
}
