/** Whether this process can open a window. On Linux a display server is named in the environment; elsewhere there is one. */
export function hasDisplay(env = process.env, platform = process.platform) {
  if (platform !== 'linux') return true;
  return Boolean(env.DISPLAY) || Boolean(env.WAYLAND_DISPLAY);
}
