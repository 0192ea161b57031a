import { hiddenCharacters } from '@trunkline/host/text'
import type { ReactNode } from 'react'
import styles from './said.module.css'

export interface SaidProps {
  readonly text: string
  /** True to spell out line breaks too, for a text that has to stay on one line. */
  readonly oneLine?: boolean
}

/** Text from an untrusted source: never markup, with everything that hides or misleads spelled out and marked. */
export function Said({ text, oneLine = false }: SaidProps) {
  const shown = oneLine ? text.replaceAll(/\r?\n/g, ' ⏎ ') : text
  return <bdi className={styles.said}>{pieces(shown)}</bdi>
}

function pieces(text: string): ReactNode {
  const shown: ReactNode[] = []
  let from = 0
  for (const { index, code, kind } of hiddenCharacters(text)) {
    if (index > from) shown.push(text.slice(from, index))
    const spelled = `\\u{${code.toString(16)}}`
    shown.push(
      <mark key={index} className={styles.hidden} title={`A hidden character (${kind}), spelled out`}>
        {spelled}
      </mark>,
    )
    from = index + (code > 0xffff ? 2 : 1)
  }
  if (shown.length === 0) return text
  shown.push(text.slice(from))
  return shown
}
