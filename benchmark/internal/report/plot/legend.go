package plot

// Legend names one line or dot. Screens too narrow for the labels show it.
type Legend struct {
	Class string // sets --c to its colour, within an element of class plot
	Sign  string // its marker
	Label string
	Text  string // the figure of a dot
}

// Legend lists what is drawn, in order.
func (f Figure) Legend() []Legend {
	var all []Legend
	for _, d := range f.Dots {
		all = append(all, Legend{colourClass(d.Colour), signs[0], d.Label, d.Text})
	}
	looks := markersOf(f.Lines)
	for i, l := range f.Lines {
		all = append(all, Legend{Class: colourClass(l.Colour), Sign: signs[looks[i]], Label: l.Label})
	}
	return all
}
