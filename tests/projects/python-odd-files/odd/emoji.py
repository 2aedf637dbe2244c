def mood(a):
    face = "😀"; return face * a if a > 0 else "😢"
