import { useState } from 'react'
import { Button } from './button.tsx'

const shownMs = 1_500

/** Copies a text to the clipboard. */
export function CopyButton({
  text,
  label,
  children = 'Copy',
}: {
  readonly text: string
  readonly label: string
  readonly children?: string
}) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), shownMs)
  }
  return (
    <Button size="s" aria-label={label} onClick={() => void copy()}>
      {isCopied ? 'Copied' : children}
    </Button>
  )
}
