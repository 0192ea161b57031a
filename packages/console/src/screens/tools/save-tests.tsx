import { useState } from 'react'
import styles from '../../offers/offers.module.css'
import { Button } from '../../parts/button.tsx'
import { saveFile } from '../../parts/save-file.ts'
import { type AnsweredCall, asTestFile } from './call-forms.ts'

export interface SaveTestsProps {
  readonly server: string
  readonly tool: string
  readonly calls: readonly AnsweredCall[]
  readonly children: string
}

/** Saves calls with what came back as a file of tests, and says how to run it. */
export function SaveTests({ server, tool, calls, children }: SaveTestsProps) {
  const [isSaved, setSaved] = useState(false)
  const file = `${tool.replaceAll(/[^\w-]+/g, '-')}.test.json`
  const save = () => {
    saveFile(file, asTestFile(tool, calls))
    setSaved(true)
  }
  return (
    <>
      {isSaved && (
        <span role="status" className={styles.faint}>
          Run it:{' '}
          <code>
            trunkline test {file} {server}
          </code>
        </span>
      )}
      <Button size="s" onClick={save}>
        {children}
      </Button>
    </>
  )
}
