// What the page remembers between visits. Without access to storage it remembers nothing, and works otherwise.

export const kept = {
  read(name) {
    try {
      return localStorage.getItem(name);
    } catch {
      return null;
    }
  },
  write(name, value) {
    try {
      if (value === null) localStorage.removeItem(name);
      else localStorage.setItem(name, value);
    } catch {
      // The choice holds for this visit.
    }
  },
};
