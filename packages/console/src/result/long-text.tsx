import { type ReactNode, useEffect, useRef, useState } from 'react'
import { Button } from '../parts/button.tsx'
import { CopyButton } from '../parts/copy-button.tsx'
import { saveFile } from '../parts/save-file.ts'
import { ScrollArea } from '../parts/scroll-area.tsx'
import type { Place } from '../text/find-places.ts'
import { formatNumber } from '../text/number.ts'
import { Said } from '../text/said.tsx'
import { FindInText } from './find-in-text.tsx'
import styles from './result.module.css'

/** Characters put on the page at once; every other part is a click away. */
const partLength = 100_000

export interface LongTextProps {
  readonly text: string
  /** Accessible name. */
  readonly label: string
  /** Further buttons. */
  readonly actions?: ReactNode
}

/** A text of any length: all of it can be reached, and none of it makes the page stand still. */
export function LongText({ text, label, actions }: LongTextProps) {
  const [part, setPart] = useState(0)
  const [place, setPlace] = useState<Place>()
  const parts = Math.max(1, Math.ceil(text.length / partLength))
  const at = Math.min(part, parts - 1)
  const [from, to] = [boundary(text, at * partLength), boundary(text, (at + 1) * partLength)]
  const show = (found: Place | undefined) => {
    setPlace(found)
    if (found) setPart(Math.floor(found.from / partLength))
  }
  return (
    <div>
      <ScrollArea key={at} label={label} className={styles.text}>
        <code>
          <Part text={text} from={from} to={to} place={place} />
        </code>
      </ScrollArea>
      <div className={styles.tools}>
        {parts > 1 && (
          <>
            <FindInText text={text} label={label} onPlace={show} />
            <span role="status">
              Characters {formatNumber(from + 1)} to {formatNumber(to)} of {formatNumber(text.length)}
            </span>
            <Button size="s" disabled={at === 0} onClick={() => setPart(0)}>
              First
            </Button>
            <Button size="s" disabled={at === 0} onClick={() => setPart(at - 1)}>
              Previous
            </Button>
            <Button size="s" disabled={at === parts - 1} onClick={() => setPart(at + 1)}>
              Next
            </Button>
            <Button size="s" disabled={at === parts - 1} onClick={() => setPart(parts - 1)}>
              Last
            </Button>
          </>
        )}
        <CopyButton text={text} label={`Copy ${label}`} />
        {text.length > 2_000 && <Download text={text} label={label} />}
        {actions}
      </div>
    </div>
  )
}

interface PartProps {
  readonly text: string
  readonly from: number
  readonly to: number
  /** The found place, in whichever part it is. */
  readonly place: Place | undefined
}

/** A part of a text, with what was found in it marked and in sight. */
function Part({ text, from, to, place }: PartProps) {
  const mark = useRef<HTMLElement>(null)
  useEffect(() => {
    if (place) mark.current?.scrollIntoView({ block: 'nearest' })
  }, [place])
  if (!place || place.from < from || place.from >= to) return <Said text={text.slice(from, to)} />
  const end = Math.min(place.to, to)
  return (
    <>
      <Said text={text.slice(from, place.from)} />
      <mark ref={mark} className={styles.found}>
        <Said text={text.slice(place.from, end)} />
      </mark>
      <Said text={text.slice(end, to)} />
    </>
  )
}

/** A place near this one that does not lie within a character. */
function boundary(text: string, at: number): number {
  if (at >= text.length) return text.length
  const code = text.charCodeAt(at)
  return code >= 0xdc00 && code <= 0xdfff ? at - 1 : at
}

/** Saves a text as a file. */
export function Download({ text, label }: { readonly text: string; readonly label: string }) {
  const save = () => saveFile(`${label.replaceAll(/[^\w-]+/g, '-')}.txt`, text)
  return (
    <Button size="s" aria-label={`Download ${label}`} onClick={save}>
      Download
    </Button>
  )
}
