import { lazy, Suspense } from 'react'
import styles from './json-editor.module.css'

const CodeEditor = lazy(() => import('./code-editor.tsx').then(({ CodeEditor }) => ({ default: CodeEditor })))

export interface JsonEditorProps {
  readonly value: string
  /** Accessible name. */
  readonly label: string
  readonly isReadOnly?: boolean
  /** True to number the lines; such a text may have comments. @default false */
  readonly hasLines?: boolean
  /** Text to scroll to at first. @default the beginning */
  readonly startAt?: RegExp
  /** Lines that are marked, with what is wrong there. */
  readonly problems?: readonly { readonly line: number; readonly problem: string }[]
  onChange?(text: string): void
}

/** An editor for JSON; it is loaded when one is first needed. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <div className={styles.editor}>
      <Suspense fallback={<pre className={styles.waiting}>{props.value}</pre>}>
        <CodeEditor {...props} />
      </Suspense>
    </div>
  )
}
