import { useState } from 'react'
import { Button } from '../parts/button.tsx'
import { saveFile } from '../parts/save-file.ts'
import { base64Size } from '../text/base64.ts'
import { formatBytes } from '../text/number.ts'
import { LongText } from './long-text.tsx'
import styles from './result.module.css'

/** Data of a kind that is not shown here: how much it is, to save it, and its base64 on demand. */
export function BlobBlock({
  data,
  mimeType,
  uri,
}: {
  readonly data: string
  readonly mimeType: string
  readonly uri: string
}) {
  const [isShown, setShown] = useState(false)
  const bytes = base64Size(data)
  const save = () => {
    const name =
      uri
        .split('/')
        .at(-1)
        ?.replaceAll(/[^\w.-]+/g, '-') || 'data'
    // never as its own type: what is saved is opened by a person, not by the page
    saveFile(name, bytesOf(data), 'application/octet-stream')
  }
  return (
    <div>
      <div className={styles.tools}>
        <span>
          {formatBytes(bytes)} of {mimeType}
        </span>
        <Button size="s" onClick={save}>
          Save it
        </Button>
        <Button size="s" tone="quiet" aria-expanded={isShown} onClick={() => setShown(!isShown)}>
          {isShown ? 'Hide base64' : 'Show as base64'}
        </Button>
      </div>
      {isShown && <LongText text={data} label="base64 data" />}
    </div>
  )
}

function bytesOf(data: string): Uint8Array<ArrayBuffer> | string {
  try {
    return Uint8Array.from(atob(data), (character) => character.charCodeAt(0))
  } catch {
    return data
  }
}
