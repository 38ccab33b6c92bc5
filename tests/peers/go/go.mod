module peer

go 1.27.0
