/** A text with every path below this home folder written as `~/…`. */
export function shortPaths(text: string, home: string): string {
  return home.length < 2 ? text : text.replaceAll(`${home}/`, '~/').replaceAll(`${home}\\`, '~\\')
}
