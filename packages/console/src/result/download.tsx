import { Button } from '../parts/button.tsx'
import { saveFile } from '../parts/save-file.ts'

/** Saves a text as a file. */
export function Download({ text, label }: { readonly text: string; readonly label: string }) {
  const save = () => saveFile(`${label.replaceAll(/[^\w-]+/g, '-')}.txt`, text)
  return (
    <Button size="s" aria-label={`Download ${label}`} onClick={save}>
      Download
    </Button>
  )
}
