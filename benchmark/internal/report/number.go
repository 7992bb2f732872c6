package report

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"example.com/greet/benchmark/internal/result"
)

// figure writes an estimate as "median (low–high)" with the digits that its interval supports. If
// there is only one value it writes that.
func figure(e result.Estimate) string {
	place := lastPlace(e.Median, e.Low, e.High)
	if e.N < 2 {
		return rounded(e.Median, place)
	}
	return fmt.Sprintf("%s (%s–%s)", rounded(e.Median, place), rounded(e.Low, place), rounded(e.High, place))
}

// times writes a ratio such as "5.6× (5.4–5.8)".
func times(r result.Ratio) string {
	place := lastPlace(r.Mean, r.Low, r.High)
	if r.N < 2 {
		return rounded(r.Mean, place) + "×"
	}
	return fmt.Sprintf("%s× (%s–%s)", rounded(r.Mean, place), rounded(r.Low, place), rounded(r.High, place))
}

// lastPlace is the power of ten of the last digit worth showing: one worth between a fortieth and a
// quarter of the interval's width, so that neither noise is printed as digits nor the interval
// rounded away. The value keeps at least its first digit: 40 in an interval up to 600 is not 0. A
// value without an interval has three digits.
func lastPlace(value, low, high float64) int {
	first := 0
	if value != 0 {
		first = int(math.Floor(math.Log10(math.Abs(value))))
	}
	if width := high - low; width > 0 {
		place := int(math.Floor(math.Log10(width / 4)))
		if value == 0 {
			return place
		}
		return min(first, place)
	}
	if value == 0 {
		return 0
	}
	return first - 2
}

// ThreeDigits writes a figure with three digits.
func ThreeDigits(v float64) string { return rounded(v, lastPlace(v, 0, 0)) }

// rounded writes the value to the place, with a comma between thousands.
func rounded(value float64, place int) string {
	if place >= 0 {
		unit := math.Pow10(place)
		return withCommas(strconv.FormatFloat(math.Round(value/unit)*unit, 'f', 0, 64))
	}
	return withCommas(strconv.FormatFloat(value, 'f', -place, 64))
}

// grouped writes a whole number with a comma between thousands.
func grouped[T int | int64](n T) string { return withCommas(strconv.FormatInt(int64(n), 10)) }

func withCommas(number string) string {
	whole, fraction, hasFraction := strings.Cut(number, ".")
	sign := ""
	if strings.HasPrefix(whole, "-") {
		sign, whole = "-", whole[1:]
	}
	for i := len(whole) - 3; i > 0; i -= 3 {
		whole = whole[:i] + "," + whole[i:]
	}
	if hasFraction {
		whole += "." + fraction
	}
	return sign + whole
}

// Bytes writes a size in the largest binary unit that keeps it whole.
func Bytes(n int) string {
	units := []string{"B", "KiB", "MiB", "GiB"}
	i := 0
	for ; n > 0 && n%1024 == 0 && i < len(units)-1; i++ {
		n /= 1024
	}
	return grouped(n) + " " + units[i]
}

// duration writes nanoseconds in a suitable unit, with three digits.
func duration(ns float64) string {
	unit, size := "ns", 1.0
	for _, u := range []struct {
		name string
		size float64
	}{{"µs", 1e3}, {"ms", 1e6}, {"s", 1e9}} {
		if ns >= u.size {
			unit, size = u.name, u.size
		}
	}
	digits, err := strconv.ParseFloat(strconv.FormatFloat(ns/size, 'g', 3, 64), 64)
	if err != nil {
		digits = ns / size
	}
	return number(digits) + " " + unit
}

// seconds writes a time with two digits, or as whole seconds from 10 on.
func seconds(ns int64) string {
	s := float64(ns) / 1e9
	if s >= 10 {
		return rounded(s, 0)
	}
	return strconv.FormatFloat(s, 'g', 2, 64)
}
