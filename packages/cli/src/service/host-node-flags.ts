/**
 * What Node is told that runs a host in the background. By default its young generation grows to 128 MB under load and is
 * never given back; with 8 MB a side a call costs no more, and a host that was busy once stays smaller.
 */
export const hostNodeFlags = ['--max-semi-space-size=8'] as const
