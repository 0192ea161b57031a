/** Names that Windows takes for a device in every folder, also with an ending: `NUL.txt` is `NUL`. */
const device = /^(?:con|prn|aux|nul|conin\$|conout\$|(?:com|lpt)[0-9¹²³])(?:[ .].*)?$/i

/**
 * Reason why a path means something else on Windows than its names say, or undefined. Streams (`a.txt:b`), devices and
 * other namespaces (`\\?\`, `\\.\`) would pass by the comparison of folders, and trailing dots and spaces fall away.
 */
export function windowsProblem(path: string): string | undefined {
  if (/^[\\/]{2}[?.][\\/]/.test(path)) return 'it begins in the namespace of devices'
  if (/^[a-z]:(?![\\/])/i.test(path)) return 'it begins in a folder that each process has for the drive'
  const names = path.replace(/^[a-z]:/i, '').split(/[\\/]/)
  for (const name of names) {
    if (name === '' || name === '.' || name === '..') continue
    if (name.includes(':')) return `"${name}" names a stream of a file`
    if (device.test(name)) return `"${name}" is a device`
    if (/[. ]$/.test(name)) return `"${name}" ends in a dot or a space, which Windows leaves out`
    // biome-ignore lint/suspicious/noControlCharactersInRegex: Windows refuses them in names
    if (/[<>"|?*\u0000-\u001f]/.test(name)) return `"${name}" has a character that Windows refuses`
  }
  return
}
