import { useState } from 'react'
import { Button } from './button.tsx'

const shownMs = 1_500

export interface CopyButtonProps {
  /** Text to copy, or a function that provides it on the click. */
  readonly text: string | (() => Promise<string>)
  readonly label: string
  /** @default 'Copy' */
  readonly children?: string
}

/** Copies a text to the clipboard. */
export function CopyButton({ text, label, children = 'Copy' }: CopyButtonProps) {
  const [outcome, setOutcome] = useState<string>()
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(typeof text === 'string' ? text : await text())
      setOutcome('Copied')
    } catch {
      setOutcome('Not copied')
    }
    setTimeout(() => setOutcome(undefined), shownMs)
  }
  return (
    <Button size="s" aria-label={label} onClick={() => void copy()}>
      {outcome ?? children}
    </Button>
  )
}
