/** Has the browser save a text or bytes as a file. */
export function saveFile(name: string, text: string | Uint8Array<ArrayBuffer>, type = 'text/plain'): void {
  const address = URL.createObjectURL(new Blob([text], { type }))
  const link = document.createElement('a')
  link.href = address
  link.download = name
  link.click()
  // the browser has taken the file by then
  setTimeout(() => URL.revokeObjectURL(address), 60_000)
}
