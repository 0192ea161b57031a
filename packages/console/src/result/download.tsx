import { Button } from '../parts/button.tsx'

/** Saves a text as a file. */
export function Download({ text, label }: { readonly text: string; readonly label: string }) {
  const save = () => {
    const address = URL.createObjectURL(new Blob([text], { type: 'text/plain' }))
    const link = document.createElement('a')
    link.href = address
    link.download = `${label.replaceAll(/[^\w-]+/g, '-')}.txt`
    link.click()
    // the browser has taken the file by then
    setTimeout(() => URL.revokeObjectURL(address), 60_000)
  }
  return (
    <Button size="s" aria-label={`Download ${label}`} onClick={save}>
      Download
    </Button>
  )
}
